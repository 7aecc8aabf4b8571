// never makes its element: the name is known, but the definition waits for what does not come
await new Promise(() => {})
customElements.define('probe-silent', class extends HTMLElement {})
