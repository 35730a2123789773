import { Component, OnInit } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { init } from "filepress";
import { compressFile } from "./compress-file.js";
import { Shrink } from "./shrink";

init({ workers: "filepress/" });

@Component({ selector: "app-root", imports: [Shrink], template: '@if (isExample) { <app-shrink/> } @else { <input type="file"> }' })
class App implements OnInit {
  /** Whether the component of the documents is shown. */
  readonly isExample = location.hash === "#shrink";

  ngOnInit() {
    Object.assign(window, { compressFile });
  }
}

bootstrapApplication(App);
