export { createClient, Client, SiteSettings, type ClientOptions, type RecordTypes } from "./client.js";
export { Collection, MediaCollection, type OneOfMany, type UploadOptions } from "./collection.js";
export { Listing, type Page } from "./listing.js";
export {
  BatchBuilder,
  BatchPart,
  BatchWrites,
  type BatchMethod,
  type BatchOptions,
  type PartResults,
  type PartValues,
} from "./batch.js";
export { Cart, type Addresses, type CartOptions } from "./cart.js";
export { ChangeFeed, type Change, type ChangePage, type ChangeQuery, type FollowOptions } from "./changes.js";
export { Reports, Shop, type ReportInterval, type ReportTotals } from "./shop.js";
export { TranslationJobs, type TranslationJob } from "./translation_jobs.js";
export { VetrinaError, type ErrorKind, type ParameterDetail } from "./errors.js";
export {
  signWithKey,
  signWithPassword,
  signWithSession,
  type ApplicationPassword,
  type Credentials,
  type SignedAddition,
  type UnsignedRequest,
} from "./credentials.js";
export type { SignInValues } from "./tokens.js";
export { createCache, type ResponseCache } from "./response_cache.js";
export { authorOf, commentsOf, featuredMediaOf, parentOf, termsOf } from "./embedding.js";
export type { Dialect } from "./names.js";
export type { Query, QueryScalar, QueryValue } from "./query.js";
export type { ListQuery, ReadOptions, ReadQuery, Selected } from "./reading.js";
export type { Method, RequestOptions } from "./exchange.js";
export type { Id } from "./record_calls.js";
export type * from "./records.js";
export type * from "./shop_records.js";
export type * from "./cart_records.js";
export type * from "./written_values.js";
