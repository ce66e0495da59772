/**
 * Modules within a saved page: compressed, as base64, in scripts of their own that do not run.
 * @module
 */

/** The part of a saved page that has the writer of WebM. */
export const WEBM = 'dm-webm';

/** The bytes of base64, decompressed, as the address of a module. @param {string} text */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const type = { type: 'text/javascript' };
  return URL.createObjectURL(new Blob([await new Response(stream).blob()], type));
}

/** What is at an address, compressed, as base64. @param {string | URL} address */
export async function packed(address) {
  const stream = (await fetch(address)).body?.pipeThrough(new CompressionStream('gzip'));
  return base64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(text);
}
