// Worker with the build that makes AVIF of JPEG, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/photo_avifglue.js";
import { serve } from "./lib/worker.js";

serve(self, "photo_avif", glue);
