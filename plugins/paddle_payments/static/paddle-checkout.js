customElements.define('paddle-checkout', class extends HTMLElement {})
