import { queryOptions } from '@tanstack/react-query'
import { makeSigningCertificate, switchSigning, uploadSigningCertificate } from '@/api/generated'
import { getSigningOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'

/** Whether downloaded pictures are signed, and with what. */
export const signingQuery = () => queryOptions({ ...getSigningOptions(), staleTime: EACH_VISIT })

export const saveSwitch = async (isOn: boolean) => (await switchSigning({ body: { isOn }, throwOnError: true })).data

export const uploadCertificate = async (body: { certificate: string; key: string }) =>
  (await uploadSigningCertificate({ body, throwOnError: true })).data

export const makeCertificate = async () => (await makeSigningCertificate({ throwOnError: true })).data
