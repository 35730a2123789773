// filepress/astro/transform: the part of Astro's image service that works on images, for services of your own.

/** The transformation that Astro requests. */
export interface AstroTransform {
  /** File extension of the output. Default: the format of the input. */
  format?: string | null | undefined;
  /** `"low"`, `"mid"`, `"high"`, `"max"`, or a number from 1 to 100. Default: that of the configured service. */
  quality?: string | number | null | undefined;
  /** Width in pixels. */
  width?: number | undefined;
  /** Height in pixels. Ignored if there is a `width` and no `fit`. */
  height?: number | undefined;
  /**
   * How the image fits `width` and `height`. No effect unless both sizes are given. `"cover"` and `"fill"` work as in `compress`; any other
   * value works as `"inside"`. No value enlarges the image.
   */
  fit?: string | null | undefined;
}

/** Transforms an image. If `format` is `"svg"`, the input is returned unchanged. Rejects with the errors of `compress`. */
export function transform(
  input: Uint8Array,
  transform: AstroTransform,
  imageConfig: {
    /** The configured service. */
    service: {
      /** Options of `compress` for all images. */
      config: object;
    };
  },
): Promise<{ data: Uint8Array; format: string }>;
