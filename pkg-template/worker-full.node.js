// Worker thread with the full build, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/fullglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "full", glue);
