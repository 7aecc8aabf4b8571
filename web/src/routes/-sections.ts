import type { SectionId } from '@/features/shell/header/section-link'

/** What the home screen stacks, in order; the header and the bar at the foot link to these. */
export const homeSections: readonly SectionId[] = ['generate', 'gallery', 'themes', 'pricing']
