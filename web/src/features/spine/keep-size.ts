import { loadDraft, saveDraft } from '@/features/generator/model/brief-draft'
import { isDimensions } from '@/features/generator/model/formats'
import { sidesOf } from './question'
import type { Question } from './search'

/** Takes the trim over into the generator, where it waits until somebody has signed in. */
export function keepSize({ trim }: Question): void {
  const { width, height } = sidesOf(trim)
  const name = `${Number(width.replace(',', '.'))}x${Number(height.replace(',', '.'))}`
  const known = isDimensions(name) ? { dimensions: name } : { dimensions: 'custom' as const }
  saveDraft({ ...loadDraft(), ...known, customWidth: width, customHeight: height })
}
