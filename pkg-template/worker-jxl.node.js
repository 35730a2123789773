// Worker thread with the build jxl, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/jxlglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "jxl", glue);
