// An object store that refuses headers beginning with `x-amz-` that a presigned URL was not signed for, as Amazon S3 does and s3s-fs does not
// (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"): a proxy in front of it. The server uses such links only then.
import { once } from "node:events";
import { Agent, createServer, request as send } from "node:http";
import { pipeline } from "node:stream";
import { startObjects } from "./service-parts.mjs";

/** As `startObjects`, at the address of the proxy. */
export async function startGuardedObjects() {
  const objects = await startObjects();
  const agent = new Agent({ keepAlive: true });
  const target = new URL(objects.env.AWS_ENDPOINT_URL);
  const proxy = createServer((request, response) => {
    if (hasUnsigned(request)) return response.writeHead(403).end();
    const { method, headers, url: path } = request;
    const onward = send({ agent, host: target.hostname, port: target.port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      pipeline(answer, response, () => {});
    });
    pipeline(request, onward, (error) => error && response.destroy(error));
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${proxy.address().port}`;
  const stop = async () => {
    proxy.close();
    proxy.closeAllConnections();
    agent.destroy();
    await objects.stop();
  };
  return { ...objects, env: { ...objects.env, AWS_ENDPOINT_URL: url }, bucket: url + new URL(objects.bucket).pathname, stop };
}

function hasUnsigned({ url, headers }) {
  const signed = new URL(url, "http://host").searchParams.get("X-Amz-SignedHeaders")?.split(";");
  return signed !== undefined && Object.keys(headers).some((name) => name.startsWith("x-amz-") && !signed.includes(name));
}
