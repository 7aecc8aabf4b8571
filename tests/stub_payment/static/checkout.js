customElements.define('stub-pay-checkout', class extends HTMLElement {})
