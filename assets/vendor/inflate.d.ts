export { unzlibSync } from "fflate";
