// Worker thread with the build that makes AVIF of JPEG, for Node.
import { parentPort } from "node:worker_threads";
import * as glue from "./lib/photo_avifglue.js";
import { serve } from "./lib/worker.js";

serve(parentPort, "photo_avif", glue);
