import type { CapabilitiesOut, ImageCapabilitiesOut } from '@/api/generated'

/** Capabilities for tests: one service that takes no references, by default. */
export const capabilities = (change: Partial<ImageCapabilitiesOut> = {}): CapabilitiesOut => ({
  image: {
    available: true,
    provider: 'Lantern Press',
    references: 0,
    firstReferences: 0,
    referenceProviders: [],
    edits: false,
    seed: true,
    lettersByModel: false,
    depicts: false,
    sketches: false,
    maxImages: 1,
    maxVariants: 4,
    formats: ['png'],
    dimensions: ['6x9', '8.5x11', '8x8', 'custom', '5.5x8.5', '1024x1792'],
    upscaled: [],
    expectedMs: 3_000,
    choices: [],
    estimateMicros: null,
    ...change,
  },
  payment: { client: 'none', promotionCodes: false, taxes: false },
  signin: [],
  binDays: 30,
})
