// Worker with the full build, for browsers. Static imports only: bundlers do not split a worker's code.
import * as glue from "./lib/fullglue.js";
import { serve } from "./lib/worker.js";

serve(self, "full", glue);
