// Loaded before the package: records the memory of every WebAssembly instance, so that tests can read its size.
{
  const { Instance, instantiate } = WebAssembly;
  const memories = [];
  const keep = (instance) => instance.exports.memory && memories.push(instance.exports.memory);
  WebAssembly.Instance = function (...given) {
    const instance = new Instance(...given);
    keep(instance);
    return instance;
  };
  WebAssembly.Instance.prototype = Instance.prototype;
  WebAssembly.instantiate = async (...given) => {
    const result = await instantiate.apply(WebAssembly, given);
    keep(result.instance ?? result);
    return result;
  };
  /** Bytes of WebAssembly memory on this thread. */
  globalThis.wasmBytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
