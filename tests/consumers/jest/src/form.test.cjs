const { upload } = require("./form.cjs");

test("a component runs with the mock", async () => {
  expect(await upload(new File(["picture"], "photo.jpg", { type: "image/jpeg" }))).toBe("photo.jpg");
});
