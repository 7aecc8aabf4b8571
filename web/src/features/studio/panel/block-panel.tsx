import { AlignCenter, AlignLeft, AlignRight, WandSparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InkBox, Measured } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { SegmentedControl } from '@/ui/form/radio-group'
import { SwitchField } from '@/ui/form/switch-field'
import { fixed, hasCase, heldOf, sized } from '../model/blocks'
import { ContrastNote } from './contrast-note'
import { ColorField } from './fields/color-field'
import { EffectFields } from './fields/effect-fields'
import { FacePicker } from './fields/face-picker'
import { FreeButton } from './fields/free-button'
import { PlaceFields } from './fields/place-fields'
import { Slider } from './fields/slider'
import type { BlockTools } from './fields/tools'

const ALIGNS = [
  { value: 'left', icon: AlignLeft },
  { value: 'center', icon: AlignCenter },
  { value: 'right', icon: AlignRight },
] as const

const SIZE = { min: 0.015, max: 0.6, step: 0.005 }
const TRACK = { min: -0.1, max: 0.5, step: 0.01 }

type Props = {
  tools: BlockTools
  ink: InkBox | undefined
  measured: Measured | undefined
  palette: readonly string[]
  language: string
  /** Width to height of the panel. */
  ratio: number
}

/** How one block is set: each value by hand, or handed back to the press. */
export function BlockPanel({ tools, ink, measured, palette, language, ratio }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { block, change, free, isFreeing } = tools
  const { align = 'center', track = 0, case: letters = 'typed' } = block
  const held = heldOf(block)
  return (
    <div className="grid gap-5">
      {measured && <ContrastNote tools={tools} measured={measured} />}
      <FacePicker tools={tools} language={language} />
      {ink && ink.size > 0 && (
        <Slider
          label={t('studio.size')}
          {...SIZE}
          value={ink.size}
          shown={format.percent(ink.size)}
          aside={<FreeButton tools={tools} properties={['size']} label={t('studio.size')} />}
          onChange={(size) => change(sized(block, ink, size), 'size')}
        />
      )}
      {ink && ink.width > 0 && <PlaceFields tools={tools} ink={ink} ratio={ratio} />}
      <div className="flex flex-wrap items-end justify-between gap-2">
        <SegmentedControl
          legend={t('studio.align.legend')}
          name="studio-align"
          value={align}
          options={ALIGNS.map(({ value, icon: Icon }) => ({
            value,
            label: (
              <>
                <Icon aria-hidden className="size-4.5" />
                <span className="sr-only">{t(`studio.align.${value}`)}</span>
              </>
            ),
          }))}
          onChange={(value) => change(fixed(block, { align: value }, 'align'), 'align')}
        />
        <FreeButton tools={tools} properties={['align']} label={t('studio.align.legend')} />
      </div>
      {hasCase(block.text) && (
        <div className="flex items-start gap-2">
          <div className="grow">
            <SwitchField
              label={t('studio.caps.label')}
              hint={t('studio.caps.hint')}
              checked={letters === 'upper'}
              onChange={(on) => change(fixed(block, { case: on ? 'upper' : 'typed' }, 'case'), 'case')}
            />
          </div>
          <FreeButton tools={tools} properties={['case']} label={t('studio.caps.label')} />
        </div>
      )}
      <Slider
        label={t('studio.track')}
        {...TRACK}
        value={track}
        shown={format.percent(track)}
        aside={<FreeButton tools={tools} properties={['track']} label={t('studio.track')} />}
        onChange={(value) => change(fixed(block, { track: value }, 'track'), 'track')}
      />
      <ColorField
        label={t('studio.color.label')}
        value={block.color}
        palette={palette}
        aside={<FreeButton tools={tools} properties={['color']} label={t('studio.color.label')} />}
        onChange={(color) => change(fixed(block, { color, smallColor: null }, 'color'), 'color')}
      />
      <EffectFields tools={tools} palette={palette} />
      {held.length > 0 && (
        <Button variant="outline" pending={isFreeing} onClick={() => free([...held])}>
          <WandSparkles />
          {t('studio.free.all')}
        </Button>
      )}
    </div>
  )
}
