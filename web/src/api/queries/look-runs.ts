import { applyLook, continueLookRun, type LookRunOut } from '../generated'

/** So long a step waits when the one before moved nothing: somebody else is changing that cover. */
const PAUSE_MS = 500

/** Whether there are covers that a look is still to be applied to, or to be taken back from. */
export const isOpenRun = (run: LookRunOut | null) => run?.state === 'applying' || run?.state === 'undoing'

/** Goes on with the look of a theme, cover by cover, until it is through; `onStep` is told after each of them. */
export async function continueRun(themeId: number, onStep?: (run: LookRunOut) => void): Promise<LookRunOut> {
  for (let done = -1; ; ) {
    const { data: run } = await continueLookRun({ path: { theme_id: themeId }, throwOnError: true })
    onStep?.(run)
    if (!isOpenRun(run)) return run
    if (run.done === done) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    done = run.done
  }
}

/** Begins to apply the look of a theme to covers. */
export async function startRun(themeId: number, coverIds: readonly number[]): Promise<LookRunOut> {
  const body = { coverIds: [...coverIds] }
  return (await applyLook({ path: { theme_id: themeId }, body, throwOnError: true })).data
}
