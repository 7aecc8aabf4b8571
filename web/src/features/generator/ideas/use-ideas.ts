import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Ideas, suggestIdeas } from '@/api/generated'

/** As much of a blurb as the server takes, in characters. */
export const LONGEST = 5000

/** The blurb and what was found in it; both stay when the dialog is closed. */
export function useIdeas() {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Ideas>()
  const running = useRef<AbortController>(undefined)
  const ask = useMutation({
    mutationFn: async (blurb: string) => {
      const controller = new AbortController()
      running.current = controller
      const { data } = await suggestIdeas({
        body: { text: blurb },
        signal: controller.signal,
        throwOnError: true,
      })
      return { data, controller }
    },
    onSuccess: ({ data, controller }) => {
      if (!controller.signal.aborted) setFound(data)
    },
  })
  function cancel() {
    running.current?.abort()
    ask.reset()
  }
  return { text, setText, found, ask, cancel }
}

export type IdeasControl = ReturnType<typeof useIdeas>
