// Worker with the build jxl, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/jxlglue.js";
import { serve } from "./lib/worker.js";

serve(self, "jxl", glue);
