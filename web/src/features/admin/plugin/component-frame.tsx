import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ComponentOut, callComponent } from '@/api/generated'
import { log } from '@/lib/browser/log'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { useDark } from '@/ui/color-scheme/use-dark'
import { Spinner } from '@/ui/states'
import { type Channel, type ComponentEvents, type ComponentView, openChannel } from './frame-channel'
import { siteColors } from './site-colors'

/** After so long without a sign of life, something is wrong with it. */
const PATIENCE_MS = 10_000
const LEAST_HEIGHT = 24
const MOST_HEIGHT = 6000

type Told = Pick<ComponentView, 'values' | 'secrets' | 'locked' | 'errors'>
const NOTHING: Told = { values: {}, secrets: {}, locked: [], errors: {} }

type Props = {
  component: ComponentOut
  /** What it is, for those who hear the page. */
  title: string
  /** What it is shown for, and what runs its calls; none before it is saved. */
  instance: { id: string; label: string } | undefined
  told?: Told
  onChange?: (values: Readonly<Record<string, unknown>>) => void
  /** Another way to the same end, where it does not load. */
  otherwise?: ReactNode
}

/** A plugin's component, in a frame from which it reaches nothing but what is told and asked here. */
export function ComponentFrame(props: Props) {
  const [attempt, setAttempt] = useState(0)
  const { component, instance } = props
  const key = `${component.frame} ${instance?.id ?? ''} ${attempt}`
  return <Attempt key={key} {...props} onAgain={() => setAttempt(attempt + 1)} />
}

type State = 'loading' | 'shown' | 'silent' | 'broken'

function Attempt({
  component,
  title,
  instance,
  told = NOTHING,
  onChange,
  otherwise,
  onAgain,
}: Props & { onAgain: () => void }) {
  const { t, i18n } = useTranslation()
  const dark = useDark()
  const [state, setState] = useState<State>('loading')
  const [height, setHeight] = useState(LEAST_HEIGHT)
  const place = useRef<HTMLDivElement>(null)
  const channel = useRef<Channel>(undefined)
  const failed = state === 'silent' || state === 'broken'
  const address = `${component.frame}?language=${i18n.language}`
  const fields = component.fields.join(' ')

  const language = i18n.language
  const view = useMemo<ComponentView>(
    () => ({
      ...told,
      instance: instance ? { id: instance.id, label: instance.label } : null,
      language,
      direction: i18n.dir(language),
      scheme: dark ? 'dark' : 'light',
    }),
    [told, instance, language, dark, i18n],
  )

  const events: ComponentEvents = {
    onReady: () => setState((now) => (now === 'loading' ? 'shown' : now)),
    onFailed: (reason) => {
      log('A plugin’s component failed', reason)
      // one that is shown may go on after a mistake
      setState((now) => (now === 'loading' ? 'broken' : now))
    },
    onHeight: (pixels) => setHeight(Math.min(Math.max(Math.ceil(pixels), LEAST_HEIGHT), MOST_HEIGHT)),
    onChange: (values) => onChange?.(values),
    call: async (call, argument) => {
      if (!instance || !component.calls.includes(call)) throw new Error(`There is no call ${call} here.`)
      const path = { instance_id: instance.id, component: component.id, call }
      const { data } = await callComponent({ path, body: { argument }, throwOnError: true })
      return data.answer
    },
  }
  const latest = useRef({ view, events })
  useEffect(() => {
    latest.current = { view, events }
  })

  // made by hand: what has run in it must not be moved or kept
  useEffect(() => {
    if (failed) return
    const frame = document.createElement('iframe')
    const now = () => latest.current.events
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.className = 'block size-full border-0 bg-transparent'
    frame.title = title
    frame.dataset.settings = fields
    frame.src = address
    frame.addEventListener('load', () => {
      if (channel.current) {
        // it went elsewhere, and nothing that is there now is trusted with anything
        channel.current.close()
        setState('broken')
      } else if (frame.contentWindow) {
        channel.current = openChannel(
          frame.contentWindow,
          { view: latest.current.view, colors: siteColors() },
          {
            onReady: () => now().onReady(),
            onFailed: (reason) => now().onFailed(reason),
            onHeight: (pixels) => now().onHeight(pixels),
            onChange: (values) => now().onChange(values),
            call: (name, argument) => now().call(name, argument),
          },
        )
      }
    })
    place.current?.append(frame)
    const patience = setTimeout(() => setState((now) => (now === 'loading' ? 'silent' : now)), PATIENCE_MS)
    return () => {
      clearTimeout(patience)
      channel.current?.close()
      channel.current = undefined
      frame.remove()
    }
  }, [failed, address, fields, title])

  useEffect(() => {
    channel.current?.show({ view, colors: siteColors() })
  }, [view])

  if (failed) {
    return (
      <div role="alert" className="space-y-4 rounded-lg bg-sunken p-5 text-center text-sm leading-relaxed">
        <p className="font-medium">{t(state === 'silent' ? 'admin.component.silent' : 'admin.component.broken')}</p>
        <p className="text-ink-2">{t('admin.component.next')}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="outline" size="sm" onClick={onAgain}>
            {t('admin.component.again')}
          </Button>
          {otherwise}
        </div>
      </div>
    )
  }
  return (
    <div className="relative">
      {state === 'loading' && <Spinner className="min-h-40" />}
      <div
        ref={place}
        className={cn(state === 'loading' && 'invisible absolute inset-x-0 top-0')}
        style={{ height: `${height}px` }}
      />
    </div>
  )
}
