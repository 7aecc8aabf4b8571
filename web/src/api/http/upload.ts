import { log } from '@/lib/browser/log'
import { ApiError, parseErrorResponse } from '../errors/api-error'
import { REQUEST_TIMEOUT } from './send'

/**
 * Sends a file, or a form with one, and gives back the answer's JSON; `onProgress` hears how much has gone, from 0 to 1, which
 * fetch does not tell. Throws an ApiError for anything but a good answer.
 */
export function upload(url: string, body: FormData | File, onProgress: (part: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.timeout = REQUEST_TIMEOUT
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total)
    request.onload = () => {
      const { status, statusText, responseText } = request
      if (status < 200 || status > 299) reject(parseErrorResponse(status, statusText, responseText))
      else resolve(JSON.parse(responseText))
    }
    request.ontimeout = () => reject(new ApiError(0, 'timeout', 'The request timed out. Please try again.'))
    request.onerror = () => {
      log('An upload failed', url)
      reject(new ApiError(0, 'network', 'The server cannot be reached.'))
    }
    request.send(body)
  })
}
