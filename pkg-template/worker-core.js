// Worker with the core build, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/coreglue.js";
import { serve } from "./lib/worker.js";

serve(self, "core", glue);
