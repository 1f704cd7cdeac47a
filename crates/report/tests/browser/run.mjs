// node run.mjs FOLDER [WORDS]: tests the pages of FOLDER, which the example sample_report
// makes; with WORDS only tests that have them in their names.
import "./page.mjs";
import "./pictures.mjs";
import "./trees.mjs";
import "./views.mjs";
import { run } from "./harness.mjs";

const [folder, only] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node run.mjs FOLDER [WORDS]");
  process.exit(2);
}
process.exit((await run(folder, only)) ? 0 : 1);
