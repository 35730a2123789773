// Worker with the AVIF build, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/avifglue.js";
import { serve } from "./lib/worker.js";

serve(self, "avif", glue);
