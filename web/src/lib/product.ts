/** What the product is called until branding says otherwise. */
export const DEFAULT_PRODUCT_NAME = 'Coverwright'
