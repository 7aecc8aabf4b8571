import { useTranslation } from 'react-i18next'
import { ChipGroup } from '@/ui/form/radio-group'
import { EFFECTS, type EffectKind, effectOf, fixed } from '../../model/blocks'
import { ColorField } from './color-field'
import { FreeButton } from './free-button'
import { ShareSlider } from './slider'
import type { BlockTools } from './tools'

/** How strong an effect begins. */
const BEGINS: Record<EffectKind, number> = {
  none: 0,
  shadow: 0.6,
  outline: 0.6,
  plate: 0.85,
  scrim: 0.6,
  gradient: 0.7,
  blur: 0.8,
}

/** What makes the letters stand off the picture. */
export function EffectFields({ tools, palette }: { tools: BlockTools; palette: readonly string[] }) {
  const { t } = useTranslation()
  const { block, change } = tools
  const effect = effectOf(block)
  return (
    <div className="grid gap-3">
      <div className="flex items-start justify-between gap-2">
        <ChipGroup
          legend={t('studio.effect.legend')}
          name="studio-effect"
          value={effect.kind}
          options={EFFECTS.map((kind) => ({ value: kind, label: t(`studio.effect.kind.${kind}`) }))}
          onChange={(kind) => {
            const amount = effect.kind === 'none' ? BEGINS[kind] : effect.amount || BEGINS[kind]
            change(fixed(block, { effect: { ...effect, kind, amount } }, 'effect'), 'effect-kind')
          }}
        />
        <FreeButton tools={tools} properties={['effect']} label={t('studio.effect.legend')} />
      </div>
      {effect.kind !== 'none' && (
        <>
          <ShareSlider
            label={t('studio.effect.amount')}
            value={effect.amount}
            onChange={(amount) => change(fixed(block, { effect: { ...effect, amount } }, 'effect'), 'effect-amount')}
          />
          <ColorField
            label={t('studio.effect.color')}
            value={effect.color}
            palette={palette}
            onChange={(color) => change(fixed(block, { effect: { ...effect, color } }, 'effect'), 'effect-color')}
          />
        </>
      )}
    </div>
  )
}
