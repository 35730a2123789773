// Worker thread with the photo build, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/photoglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "photo", glue);
