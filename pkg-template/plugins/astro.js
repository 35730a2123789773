// Entry of filepress/astro: an integration that makes filepress the image service of Astro. It works where sharp is not installed.
const SERVICE = "virtual:filepress/image-service";

/**
 * The module of the service. Vite has to process it, because Astro's own part of a service reads `import.meta.env`; while `filepress`
 * itself may stay outside of the bundle.
 */
const CODE = `import { baseService } from "astro/assets";
import { transform } from "filepress/astro/transform";
export default { ...baseService, transform };
`;

/** See types/plugins/astro.d.ts. */
export function filepress(options = {}) {
  const vite = {
    name: "filepress-image-service",
    resolveId: (id) => (id === SERVICE ? `\0${SERVICE}` : undefined),
    load: (id) => (id === `\0${SERVICE}` ? CODE : undefined),
  };
  const setUp = ({ updateConfig }) => updateConfig({ image: { service: { entrypoint: SERVICE, config: options } }, vite: { plugins: [vite] } });
  return { name: "filepress", hooks: { "astro:config:setup": setUp } };
}

export default filepress;
