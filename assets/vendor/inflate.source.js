/*! From fflate (MIT), Copyright 2026 Arjun Barrett; licence text: assets/vendor/LICENSES.md. */
// What scenes are unpacked with. The browser's own DecompressionStream answers only later; a slider's answer is due now.
export { unzlibSync } from "fflate";
