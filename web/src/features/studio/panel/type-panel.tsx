import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverLettering, InkBox, Lettering, Measures } from '@/api/generated'
import { toast } from '@/ui/overlay/toast-store'
import { useFreeProperties } from '../api/mutations'
import { type Property, withBlock } from '../model/blocks'
import { BlockList } from './block-list'
import { BlockPanel } from './block-panel'

type Props = {
  shown: CoverLettering
  lettering: Lettering
  inks: readonly InkBox[]
  measures: Measures | undefined
  selected: number | undefined
  onSelect: (index: number) => void
  onChange: (lettering: Lettering, field: string) => void
}

/** The type of each block: a list to choose from, and how the chosen one is set. */
export function TypePanel({ shown: { cover }, lettering, inks, measures, selected, onSelect, onChange }: Props) {
  const { t } = useTranslation()
  const freeing = useFreeProperties(cover.id)
  const blocks = lettering.blocks ?? []
  const index =
    selected !== undefined && blocks[selected]?.text.trim() ? selected : blocks.findIndex(({ text }) => text.trim())
  const block = blocks[index]
  if (!block) return <p className="text-sm text-ink-2">{t('studio.block.none')}</p>
  const ink = inks[index]
  const measured = measures?.blocks[index]
  const free = (properties: Property[]) =>
    freeing.mutate(
      { lettering, index, properties },
      {
        onSuccess: (chosen) => onChange(chosen, 'free'),
        onError: (error) =>
          toast({ title: t('studio.placeFailed'), description: errorMessage(error), variant: 'destructive' }),
      },
    )
  return (
    <div className="grid gap-5">
      <BlockList lettering={lettering} measures={measures} selected={index} onSelect={onSelect} />
      <BlockPanel
        key={index}
        tools={{
          block,
          change: (next, field) => onChange(withBlock(lettering, index, next), `${field}-${index}`),
          free,
          isFreeing: freeing.isPending,
        }}
        ink={ink?.role === block.role ? ink : undefined}
        measured={measured?.role === block.role ? measured : undefined}
        palette={measures?.palette ?? []}
        language={lettering.language ?? ''}
        ratio={cover.width / cover.height}
      />
    </div>
  )
}
