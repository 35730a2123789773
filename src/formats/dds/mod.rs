//! DDS, the texture of DirectX.

pub(crate) mod decode;
pub(crate) mod encode;
