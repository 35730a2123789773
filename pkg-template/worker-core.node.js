// Worker thread with the core build, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/coreglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "core", glue);
