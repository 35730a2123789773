// An object store that refuses headers beginning with `x-amz-` that a presigned URL was not signed for, as Amazon S3 does and s3s-fs does not
// (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"): a proxy in front of it.
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { startObjects } from "../../../scripts/service-parts.mjs";

export async function startGuardedObjects() {
  const objects = await startObjects();
  const target = new URL(objects.env.AWS_ENDPOINT_URL);
  const proxy = createServer((request, response) => {
    if (hasUnsigned(request)) return response.writeHead(403).end();
    const { method, headers, url: path } = request;
    const onward = send({ host: target.hostname, port: target.port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const env = { ...objects.env, AWS_ENDPOINT_URL: `http://127.0.0.1:${proxy.address().port}` };
  const stop = async () => {
    proxy.close();
    proxy.closeAllConnections();
    await objects.stop();
  };
  return { ...objects, env, stop };
}

function hasUnsigned({ url, headers }) {
  const signed = new URL(url, "http://host").searchParams.get("X-Amz-SignedHeaders")?.split(";");
  return signed !== undefined && Object.keys(headers).some((name) => name.startsWith("x-amz-") && !signed.includes(name));
}
