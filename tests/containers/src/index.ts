/** The images, each alone and all together, over a real container engine; run by `npm run test:containers` only. */
export {};
