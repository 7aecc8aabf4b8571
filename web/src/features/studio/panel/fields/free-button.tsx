import { WandSparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import { heldOf, type Property } from '../../model/blocks'
import type { BlockTools } from './tools'

type Props = { tools: BlockTools; properties: readonly Property[]; label: string }

/** Hands a property that was fixed by hand back to the press; not there where the press has chosen it. */
export function FreeButton({ tools: { block, free, isFreeing }, properties, label }: Props) {
  const { t } = useTranslation()
  if (!properties.some((name) => heldOf(block).includes(name))) return null
  const text = t('studio.free.one', { property: label })
  return (
    <Tooltip text={text}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={text}
        disabled={isFreeing}
        onClick={() => free([...properties])}
      >
        <WandSparkles />
      </Button>
    </Tooltip>
  )
}
