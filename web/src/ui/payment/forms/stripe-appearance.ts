import type { Appearance, StripeElementLocale } from '@stripe/stripe-js'

/** A token of ours as `#rrggbb`, which is all that a form in another window understands; undefined without a canvas. */
function hexOf(token: string): string | undefined {
  const color = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim()
  const pen = document.createElement('canvas').getContext?.('2d', { willReadFrequently: true })
  if (!pen || !color) return undefined
  pen.fillStyle = color
  pen.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The page's colors for the vendor's form, light or dark as the page is now. */
export function stripeAppearance(): Appearance {
  const dark = document.documentElement.classList.contains('dark')
  const colors = {
    colorPrimary: hexOf('accent'),
    colorBackground: hexOf('surface'),
    colorText: hexOf('ink'),
    colorTextSecondary: hexOf('ink-2'),
    colorDanger: hexOf('danger'),
  }
  const known = Object.fromEntries(Object.entries(colors).filter(([, color]) => color))
  return { theme: dark ? 'night' : 'stripe', variables: { ...known, borderRadius: '8px' } }
}

// of our languages all but this one
const unspoken = new Set(['hi'])

/** The form's language. */
export const stripeLocale = (language: string): StripeElementLocale =>
  unspoken.has(language) ? 'en' : (language as StripeElementLocale)
