// Worker thread with the AVIF build, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/avifglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "avif", glue);
