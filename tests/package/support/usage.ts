// A program that uses every symbol of the package's types, and one line for each thing they must refuse. Compiled, never run.
import {
  Client,
  compress,
  compressAll,
  convert,
  decode,
  FilepressError,
  formats,
  init,
  InputError,
  inspect,
  InternalError,
  LimitError,
  OptionsError,
  pictureSources,
  placeholder,
  preload,
  RemoteError,
  score,
  variants,
} from "filepress";
import type {
  BlobLike,
  Bytes,
  Canvas,
  ClientOptions,
  CompressAllOptions,
  CompressOptions,
  ConvertOptions,
  CreateOptions,
  Crop,
  CropStrategy,
  DecodedPixels,
  DecodeOptions,
  Decoder,
  ErrorCode,
  Files,
  Format,
  ImageType,
  InitOptions,
  Input,
  InputErrorCode,
  InspectOptions,
  Inspection,
  InternalErrorCode,
  LimitErrorCode,
  Limits,
  List,
  ListOptions,
  NewFile,
  NewTask,
  NodeStream,
  OptionsErrorCode,
  OutputType,
  Overlay,
  Page,
  Picture,
  Pixels,
  PixelsOrPercent,
  PictureSources,
  Placeholder,
  PlaceholderOptions,
  Position,
  Progress,
  RemoteErrorCode,
  RemoteFile,
  RemoteOptions,
  RemoteResult,
  RequestOptions,
  Resize,
  Result,
  Retry,
  Score,
  ScoreOptions,
  Source,
  SourceValue,
  Sources,
  StreamOptions,
  StreamResult,
  Task,
  Tasks,
  TransferOptions,
  User,
  Users,
  Variant,
  VariantResult,
  VariantsOptions,
  WaitOptions,
  Warning,
  WarningCode,
  WasmModule,
} from "filepress";

const margin: PixelsOrPercent = "10%";
const crop: Crop = { x: margin, y: 10, width: "80%", height: 80 };
const position: Position = "top left";
const strategy: CropStrategy = "attention";
const salient: Resize = { width: 100, height: 100, fit: "cover", position: strategy };
const resize: Resize = { width: 100, height: 100, maxWidth: 90, maxHeight: 90, fit: "cover", position };
const overlay: Overlay = { image: new Blob(), position, opacity: 0.5, margin: "2%", width: 40 };
const limits: Limits = { maxInputBytes: 1, maxPixels: 2, maxMemoryBytes: 3 };
const { signal } = new AbortController();
const told: Progress[] = [];
const converting: ConvertOptions = {
  quality: 80,
  lossless: false,
  effort: 4,
  colors: 16,
  dither: 0.5,
  chroma: "444",
  crop,
  rotate: 270,
  flip: "horizontal",
  resize,
  overlay,
  background: "#fff",
  metadata: "keep",
  animation: "first",
  hdr: "keep",
  fonts: [new Uint8Array(), new ArrayBuffer(0)],
  limits,
  signal,
  onProgress: (progress) => told.push(progress),
};
const options: CompressOptions = { ...converting, to: "image/webp" };
const searching: CompressOptions[] = [{ quality: "auto", minScore: 70 }, { to: "avif", targetSize: 200_000 }];
const inspecting: InspectOptions = { signal, limits };
const scoring: ScoreOptions = { signal, background: "#fff", limits };

const entries: Variant[] = [{ to: "avif", resize: { maxWidth: 400 } }, { resize: salient }, { to: "jpeg", quality: 80, name: "photo" }];
const together: VariantsOptions = { signal, limits, onlyIfSmaller: true, metadata: "strip" };
const placing: PlaceholderOptions = { signal, crop };

export async function makeVariants(file: File): Promise<PictureSources> {
  const outputs: VariantResult[] = [];
  for await (const output of variants(file, entries, together)) outputs.push(output);
  for await (const { stream, index } of variants(file, entries, { as: "stream" })) await stream.cancel(String(index));
  const { thumbhash, blurhash, palette }: Placeholder = await placeholder(file, placing);
  told.length = thumbhash.length + blurhash.length + palette.length;
  return pictureSources(outputs, ({ name, width }) => `${name}?${width}`);
}

export async function use(file: File, view: Uint8Array, response: Response): Promise<number> {
  const inputs: Input[] = [file, new Blob(), view, view.buffer, new DataView(view.buffer), response];
  const results: Result[] = await Promise.all(inputs.map((input) => compress(input, options)));
  results.push(...(await Promise.all(searching.map((search) => compress(file, search)))));
  const to: OutputType = "image/jpeg";
  const made = await convert(file, to, converting);
  results.push(made, await compress(file), await convert(file, "png"));

  const bytes: Bytes = await made.bytes();
  const facts: [Blob, File, ImageType, string, number, number, number, number, "local", boolean] =
    [made.blob, made.file, made.type, made.name, made.width, made.height, made.inputSize, made.outputSize, made.engine, made.keptOriginal];
  const before: [string, number, number] = [made.inputType, made.inputWidth, made.inputHeight];
  const search: [number | undefined, number | undefined] = [made.quality, made.score];
  const warnings: Warning[] = made.warnings;
  const codes: WarningCode[] = warnings.map(({ code }) => code);
  const found: Inspection = await inspect(file, inspecting);
  const look: Score = await score(file, made.blob, scoring);
  codes.push(...look.warnings.map(({ code }) => code));
  const known: Format[] = await formats();
  return (look.resized ? look.width * look.height : look.score) + bytes.length + facts.length + before.length + search.length + codes.length + found.width + known.length + results.length;
}

export async function start(module: WasmModule, value: SourceValue, source: Source, sources: Sources): Promise<void> {
  await init(module);
  await init(value);
  await init(source);
  await init(sources);
  await init({ client: value, core: Promise.resolve(value) });
  const options: InitOptions = { wasm: sources, workers: new URL("https://example.com/filepress/"), worker: true, idle: 1000 };
  await init(options);
  await init({ workers: "/filepress/" });
  const decode: Decoder = async (file, { signal }) => ({ data: new Uint8Array(await file.arrayBuffer()), width: signal?.aborted ? 1 : 2, height: 1 });
  await init({ decoders: { "image/heic": decode, "image/jxl": (file) => createImageBitmap(file) } });
  await preload(["image/jpeg", "png"]);
}

/** Everything that can be an input. */
export async function take(canvas: HTMLCanvasElement, offscreen: OffscreenCanvas, bitmap: ImageBitmap, frame: VideoFrame, request: Request): Promise<DecodedPixels> {
  const canvases: Canvas[] = [canvas, offscreen];
  const pictures: Picture[] = [bitmap, frame];
  const pixels: Pixels[] = [new ImageData(1, 1), { data: new Uint8Array(4), width: 1, height: 1 }];
  const stream: ReadableStream<Uint8Array> = new Blob().stream();
  const others: (BlobLike | NodeStream | URL)[] = [new Blob(), new URL("file:///photo.jpg")];
  const inputs: Input[] = [...canvases, ...pictures, ...pixels, stream, ...others, request];
  const all: CompressAllOptions = { to: "webp", onProgress: ({ index, ratio }) => void [index, ratio] };
  for (const outcome of await compressAll(inputs, all)) if (outcome.status === "fulfilled") console.log(outcome.value.file.lastModified);
  const decoding: DecodeOptions = { resize: { maxWidth: 10 } };
  const decoded = await decode(await compress(canvas, { name: "drawing" }).then(({ blob }) => blob), decoding);
  return new ImageData(decoded.data, decoded.width, decoded.height) && decoded;
}

/** Every call of a client, and what comes of it. */
export async function remote(file: File, baseUrl: URL): Promise<unknown[]> {
  const retry: Retry = { attempts: 3, minDelay: 100, maxDelay: 1000, deadline: 60_000 };
  const settings: ClientOptions = { baseUrl, getToken: async () => "token", fetch: (request) => fetch(request), timeout: 1000, retry };
  const client = new Client(settings);
  const further: Client[] = [new Client({ baseUrl: "https://example.com", apiKey: "key", dangerouslyAllowBrowser: true, retry: false })];
  const request: RequestOptions = { signal };
  const creating: CreateOptions = { signal, idempotencyKey: "once" };
  const transfer: TransferOptions = { signal, onProgress: ({ phase, loaded }) => void [phase, loaded] };
  const waiting: WaitOptions = { signal, timeout: 1000, onProgress: ({ ratio }) => void ratio };
  const listing: ListOptions = { pageSize: 10, after: "cursor", signal };

  const files: Files = client.files;
  const declared: NewFile = { size: file.size, format: "video/mp4" };
  const created: RemoteFile = await files.create(declared, creating);
  await files.upload(created, file, transfer);
  const blob: Blob = await files.download(created, transfer);
  const stream: ReadableStream<Bytes> = await files.download(created.id, { as: "stream" });
  const list: List<RemoteFile> = files.list(listing);
  const page: Page<RemoteFile> = await list.page();
  for await (const each of list) page.items.push(each);

  const tasks: Tasks = client.tasks;
  const wanted: NewTask = { input: created, format: { output: "video/webm" }, settings: { crf: 30 }, public: false };
  const task: Task = await tasks.create(wanted, creating);
  const done: Task = await tasks.wait(task, waiting);
  const users: Users = client.users;
  const user: User = await users.me(request);

  const withClient: RemoteOptions = { client };
  const streaming: StreamOptions = { as: "stream", client };
  const either: Result | RemoteResult = await compress(file, { ...withClient, engine: "auto", settings: { mute: true } });
  if (either.engine === "remote") page.items.push(...either.task.files);
  const flowing: StreamResult = await convert(file, "video/webm", { ...streaming, signal });
  return [further, blob, stream, page.next, page.prev, done.status, user.email, either.outputSize, flowing.stream, await tasks.get(task.id, request)];
}

export function explain(thrown: unknown): string {
  if (thrown instanceof InputError) {
    const code: InputErrorCode = thrown.code;
    return `${code} ${thrown.details.status} ${thrown.details.type} ${thrown.details.name}`;
  }
  if (thrown instanceof OptionsError) {
    const code: OptionsErrorCode = thrown.code;
    const { x, y, width, height, variant }: { readonly [name in "x" | "y" | "width" | "height" | "variant"]?: number } = thrown.details;
    const nearest = `${x} ${y} ${width} ${height} ${variant}`;
    return `${code} ${thrown.details.option} ${thrown.details.outputs?.join()} ${thrown.details.build === "full"} ${nearest}`;
  }
  if (thrown instanceof LimitError) {
    const code: LimitErrorCode = thrown.code;
    const { actual, limit, smallest }: { readonly actual?: number; readonly limit?: number; readonly smallest?: number } = thrown.details;
    const { needBytes, limitBytes }: { readonly needBytes?: number; readonly limitBytes?: number } = thrown.details;
    return `${code} ${actual ?? needBytes ?? smallest ?? "?"} ${limit ?? limitBytes ?? "?"}`;
  }
  if (thrown instanceof RemoteError) {
    const code: RemoteErrorCode = thrown.code;
    return `${String(code)} ${thrown.status} ${thrown.requestId} ${thrown.source?.pointer} ${thrown.details.reason} ${thrown.task?.status}`;
  }
  if (thrown instanceof InternalError) {
    const code: InternalErrorCode = thrown.code;
    return `${code} ${thrown.details.variant} ${thrown.details.file} ${String(thrown.cause)}`;
  }
  if (thrown instanceof FilepressError) {
    const code: ErrorCode = thrown.code;
    return `${thrown.kind} ${code} ${thrown.retryable} ${thrown.message}`;
  }
  return String(thrown);
}

export async function refused(file: File): Promise<void> {
  // @ts-expect-error no such format
  await compress(file, { to: "jpgg" });
  // @ts-expect-error video needs a client
  await convert(file, "video/webm");
  // @ts-expect-error no such option
  await compress(file, { qualty: 80 });
  // @ts-expect-error it takes two files
  await score(file);
  // @ts-expect-error no such fit
  await compress(file, { resize: { width: 5, fit: "pad" } });
  // @ts-expect-error only quarter turns
  await compress(file, { rotate: 45 });
  // @ts-expect-error a number is no text
  await compress(file, { quality: "80" });
  // @ts-expect-error a font is its bytes
  await compress(file, { fonts: ["Arial"] });
  // @ts-expect-error the type is the second argument
  await convert(file, "webp", { to: "png" });
  // @ts-expect-error the type is missing
  await convert(file);
  // @ts-expect-error an address is no input
  await compress("https://example.com/photo.jpg");
  // @ts-expect-error a client is made with new
  await compress(file, { client: { baseUrl: "https://example.com" } });
  // @ts-expect-error a client needs an address
  new Client({ apiKey: "key" });
  // @ts-expect-error only filepress makes errors
  new FilepressError();
}
