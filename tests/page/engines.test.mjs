// The demo page in Firefox and WebKit: one visit each, in which a visitor does what the groups of tests in engines/ say, one after another.
import { after, before, describe } from "node:test";
import { ENGINES } from "../package/support/engines.mjs";
import { testAccessibility } from "./engines/accessibility.mjs";
import { testComparison } from "./engines/comparison.mjs";
import { testCompression } from "./engines/compression.mjs";
import { testFolders } from "./engines/folders.mjs";
import { testHandover } from "./engines/handover.mjs";
import { testHelp } from "./engines/help.mjs";
import { testKept } from "./engines/kept.mjs";
import { testLanguages } from "./engines/languages.mjs";
import { testLayout } from "./engines/layout.mjs";
import { testLosses } from "./engines/losses.mjs";
import { testMany } from "./engines/many.mjs";
import { testOffline } from "./engines/offline.mjs";
import { testSettings } from "./engines/settings.mjs";
import { EngineVisitor } from "./support/engine-visitor.mjs";

const { Chromium: _, ...others } = ENGINES;

for (const [engine, launch] of Object.entries(others)) {
  describe(engine, () => {
    const visitor = new EngineVisitor(engine);
    before(() => visitor.open(launch));
    after(() => visitor.close());
    testCompression(visitor);
    testLosses(visitor);
    testSettings(visitor);
    testFolders(visitor, engine);
    testHandover(visitor);
    testLayout(visitor);
    // Nothing of these depends on what a page is kept from knowing.
    if (engine.includes("resists")) return;
    testHelp(visitor);
    testKept(visitor);
    testMany(visitor);
    testComparison(visitor);
    testAccessibility(visitor);
    testOffline(visitor);
    testLanguages(visitor);
  });
}
