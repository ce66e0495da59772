/*! From fzstd (MIT), Copyright 2020 Arjun Barrett; licence text: assets/vendor/LICENSES.md. */
export { decompress } from "fzstd";
