/* OpenCL 1.2, as far as the host uses it, and what newer devices are asked: no header of OpenCL is needed. */

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define CL_CALL __stdcall
#else
#define CL_CALL
#endif

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

typedef struct {
    uint32_t order, type;
} cl_image_format;

typedef struct {
    uint32_t version; /* 10 bits, 10 bits, 12 bits */
    char name[64];
} cl_name_version;

typedef struct {
    uint32_t image_type;
    size_t width, height, depth, array_size, row_pitch, slice_pitch;
    uint32_t mip_levels, samples;
    cl_mem buffer;
} cl_image_desc;

enum {
    CL_PLATFORM_VERSION = 0x0901, CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004, CL_DEVICE_IMAGE_SUPPORT = 0x1016, CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026, CL_DEVICE_NAME = 0x102B, CL_DRIVER_VERSION = 0x102D, CL_DEVICE_PROFILE = 0x102E, CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030, CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032, CL_DEVICE_HALF_FP_CONFIG = 0x1033,
    CL_DEVICE_OPENCL_C_VERSION = 0x103D, CL_DEVICE_OPENCL_C_ALL_VERSIONS = 0x1066, CL_DEVICE_OPENCL_C_FEATURES = 0x106F,
    CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED = 0x1072,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_MEM_READ_WRITE = 1, CL_MEM_WRITE_ONLY = 2, CL_MEM_READ_ONLY = 4, CL_MEM_COPY_HOST_PTR = 32
};

extern int32_t CL_CALL clGetPlatformIDs(uint32_t, cl_platform_id *, uint32_t *);
extern int32_t CL_CALL clGetPlatformInfo(cl_platform_id, uint32_t, size_t, void *, size_t *);
extern int32_t CL_CALL clGetDeviceIDs(cl_platform_id, uint64_t, uint32_t, cl_device_id *, uint32_t *);
extern int32_t CL_CALL clGetDeviceInfo(cl_device_id, uint32_t, size_t, void *, size_t *);
extern cl_context CL_CALL clCreateContext(const intptr_t *, uint32_t, const cl_device_id *,
                                          void(CL_CALL *)(const char *, const void *, size_t, void *), void *,
                                          int32_t *);
extern cl_command_queue CL_CALL clCreateCommandQueue(cl_context, cl_device_id, uint64_t, int32_t *);
extern cl_mem CL_CALL clCreateBuffer(cl_context, uint64_t, size_t, void *, int32_t *);
extern cl_mem CL_CALL clCreateImage(cl_context, uint64_t, const cl_image_format *, const cl_image_desc *, void *,
                                    int32_t *);
extern int32_t CL_CALL clGetSupportedImageFormats(cl_context, uint64_t, uint32_t, uint32_t, cl_image_format *,
                                                  uint32_t *);
extern int32_t CL_CALL clReleaseMemObject(cl_mem);
extern cl_program CL_CALL clCreateProgramWithSource(cl_context, uint32_t, const char **, const size_t *, int32_t *);
extern int32_t CL_CALL clBuildProgram(cl_program, uint32_t, const cl_device_id *, const char *,
                                      void(CL_CALL *)(cl_program, void *), void *);
extern int32_t CL_CALL clGetProgramBuildInfo(cl_program, cl_device_id, uint32_t, size_t, void *, size_t *);
extern int32_t CL_CALL clReleaseProgram(cl_program);
extern cl_kernel CL_CALL clCreateKernel(cl_program, const char *, int32_t *);
extern int32_t CL_CALL clSetKernelArg(cl_kernel, uint32_t, size_t, const void *);
extern int32_t CL_CALL clReleaseKernel(cl_kernel);
extern int32_t CL_CALL clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, uint32_t, const size_t *, const size_t *,
                                              const size_t *, uint32_t, const cl_event *, cl_event *);
extern int32_t CL_CALL clEnqueueReadBuffer(cl_command_queue, cl_mem, uint32_t, size_t, size_t, void *, uint32_t,
                                           const cl_event *, cl_event *);
extern int32_t CL_CALL clEnqueueReadImage(cl_command_queue, cl_mem, uint32_t, const size_t *, const size_t *, size_t,
                                          size_t, void *, uint32_t, const cl_event *, cl_event *);
