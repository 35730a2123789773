// The sRGB transfer function (IEC 61966-2-1) between linear light and display values, both from 0 to 1.

export const curve = (light) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
export const uncurve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
