// Worker with the photo build, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/photoglue.js";
import { serve } from "./lib/worker.js";

serve(self, "photo", glue);
