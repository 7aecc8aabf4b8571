/** What the product is called until branding says otherwise. */
export const DEFAULT_PRODUCT_NAME = 'Coverwright'

/** The page's icon until an administrator uploads another. */
export const DEFAULT_ICON = '/favicon.svg'
