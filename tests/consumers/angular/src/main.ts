import { Component, OnInit } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { init } from "filepress";
import { press } from "./press.js";

init({ workers: "filepress/" });

@Component({ selector: "app-root", template: '<input type="file">' })
class App implements OnInit {
  ngOnInit() {
    Object.assign(window, { press });
  }
}

bootstrapApplication(App);
