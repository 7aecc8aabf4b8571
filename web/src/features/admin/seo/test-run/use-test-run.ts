import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Language } from '@/i18n/languages'
import { type CrawlResponses, crawl } from './crawl'

type Run = { language: Language; answers: CrawlResponses; running: boolean }

/** Runs the tests of a language, and gives what has come back so far; nothing before its first run. */
export function useTestRun(language: Language) {
  const [latest, setLatest] = useState<Run>()
  const stop = useRef<AbortController>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run is abandoned when the language changes
  useEffect(() => () => stop.current?.abort(), [language])

  const { mutate: run } = useMutation({
    mutationFn: ask,
    onError: () => setLatest(undefined),
  })

  async function ask() {
    stop.current?.abort()
    stop.current = new AbortController()
    const { signal } = stop.current
    let answers: CrawlResponses = {}
    setLatest({ language, answers, running: true })
    await crawl(language, signal, (place, answer) => {
      answers = { ...answers, [place]: answer }
      setLatest({ language, answers, running: true })
    })
    if (!signal.aborted) setLatest({ language, answers, running: false })
  }

  // what was found in one language says nothing of another
  const shown = latest?.language === language ? latest : undefined
  return { answers: shown?.answers, running: shown?.running ?? false, run: () => run() }
}
