import { useState } from 'react'

/** The texts of a form over those that are kept: what was typed stands until it is saved, whatever comes in meanwhile. */
export function useTyped<Name extends string>(kept: Readonly<Record<Name, string>>) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const texts: Record<Name, string> = { ...kept, ...typed }
  return {
    texts,
    type: (name: Name, text: string) => setTyped((now) => ({ ...now, [name]: text })),
    /** After a save: lets go of what was sent, but not of what was typed since. */
    settle: (sent: Readonly<Record<Name, string>>) =>
      setTyped((now) => {
        const since = Object.entries(now).filter(([name, text]) => text !== sent[name as Name])
        return Object.fromEntries(since) as typeof now
      }),
  }
}
