import { syncSubscription } from '@/api/generated'

/** A payment may take its bank a moment. */
const ASK_EVERY = 2000
const ASK_TIMES = 5

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Syncs with the payment provider until Pro has begun, for ten seconds at most. What a browser knows is no proof. */
export async function waitForPro(): Promise<boolean> {
  for (let time = 1; ; time += 1) {
    const { data } = await syncSubscription({ throwOnError: true })
    if (data.isPro || time === ASK_TIMES) return data.isPro
    await pause(ASK_EVERY)
  }
}
