customElements.define('example-payment-checkout', class extends HTMLElement {})
