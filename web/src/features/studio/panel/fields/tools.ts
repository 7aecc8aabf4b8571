import type { Block } from '@/api/generated'
import type { Property } from '../../model/blocks'

/** What the fields of a block work with. */
export type BlockTools = {
  block: Block
  /** Puts another block in its place; `field` is what was changed. */
  change: (block: Block, field: string) => void
  /** Lets the press choose properties again. */
  free: (properties: Property[]) => void
  isFreeing: boolean
}
